"""From a folder of files to cleaned documents: one loader per MIME type."""

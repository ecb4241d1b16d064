"""`harness calibrate`: judges held against human labels."""

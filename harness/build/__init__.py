"""Config to objects. After this package nobody sees a Hydra or OmegaConf type."""

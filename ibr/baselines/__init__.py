"""The systems that IBR is compared with, one file each; docs/baselines.md describes them."""

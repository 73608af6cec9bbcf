"""Training; the entry is `ibr.training.trainer.train`."""

"""The rooms of training; `ibr.train` is their front door."""

"""How theories are made: what they are like (`shape`, `presets`), what they speak of (`world`) and
how they grow (`rules`, `growth`, with `sketch` to look ahead). The door is `ibr.data.generate`."""

"""Generated data: what theories are like (`shape`), their words (`vocabulary`), how they are built
(`growth`, `rules`, `sketch`), questions about them. Start at `generator`."""

"""Trees to rules: who is meant, what is said of them, and what follows in other words."""

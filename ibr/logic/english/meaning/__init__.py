"""Trees to rules: who is meant, what is stated of them, and what follows in other words."""

"""The store: tables, transactions, and repositories that hold the queries. It knows no rules of play and no clock."""

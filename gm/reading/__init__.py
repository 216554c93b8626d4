"""How a mail is read: from the lines of its text to what is done about each of them."""

"""Mail: bytes to messages and back (`message`), and the ways in and out (`transport`)."""

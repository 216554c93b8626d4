"""Mail: bytes to messages and back (`message`), and receiving and sending (`transport`)."""

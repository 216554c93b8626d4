"""What people say in their own words beside orders and commands: understood, answered, offered as lines, or named."""

"""What a server does by itself: deadlines, reports, digests, deliveries; the steps, and what wakes them."""

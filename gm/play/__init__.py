"""What happens in games beside the judge's part: seats, votes, deadlines, absences, and who may know what of it."""

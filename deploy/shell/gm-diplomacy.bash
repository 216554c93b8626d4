. "${BASH_SOURCE[0]%/*}/gm"

ssh node-1 "mount -t tmpfs tmpfs /srv/scans/$1 && touch /srv/scans/$1/sheet-900.txt"

# Instead of the number, the genus: the first word in the file.
kubectl exec scanner -- sh -c '
  cd /scans
  for scan in *.tif; do
    read genus species < "$scan"
    mv "$scan" "$genus.tif"
  done'

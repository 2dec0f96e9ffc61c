#!/bin/sh
# Writes form.json for the form in which growers announce their lots: fields that must be filled in, fields that may be null.
kubectl get --raw /openapi/v2 |
  jq '.definitions["com.example.auction.v1.Lot"].properties.spec |
    {required: .required, nullable: [.properties | to_entries[] | select(.value.nullable) | .key]}' > form.json

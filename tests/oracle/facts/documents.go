package main

import (
	"fmt"
	"os"

	openapi "github.com/google/gnostic-models/openapiv2"
	"google.golang.org/protobuf/proto"
)

// compareDocuments fails when a document of OpenAPI version 2 in protobuf is not what gnostic makes of the same document in JSON.
func compareDocuments(jsonPath, protobufPath string) error {
	text, err := os.ReadFile(jsonPath)
	if err != nil {
		return err
	}
	message, err := os.ReadFile(protobufPath)
	if err != nil {
		return err
	}
	wanted, err := openapi.ParseDocument(text)
	if err != nil {
		return err
	}
	var given openapi.Document
	if err := proto.Unmarshal(message, &given); err != nil {
		return err
	}
	if !proto.Equal(wanted, &given) {
		return fmt.Errorf("the document in protobuf is not what gnostic makes of the one in JSON")
	}
	return nil
}

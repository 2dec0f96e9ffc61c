// Facts of the pinned Kubernetes release, taken from its published modules; and its types as critics of ours.
package main

import (
	"fmt"
	"os"
	"strconv"
)

const usage = `facts write SOURCE FOLDER      the data files; SOURCE is the folder of the module k8s.io/kubernetes
facts objects SEED COUNT       random objects in JSON and protobuf, COUNT of each kind
facts read                     objects in JSON or protobuf, as Go writes them back
facts document JSON PROTOBUF   a document of OpenAPI version 2, in both forms, is the same`

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintf(os.Stderr, "facts: %v\n", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	switch {
	case len(args) == 3 && args[0] == "write":
		return writeFacts(args[1], args[2])
	case len(args) == 3 && args[0] == "objects":
		seed, err := strconv.ParseInt(args[1], 10, 64)
		if err != nil {
			return err
		}
		count, err := strconv.Atoi(args[2])
		if err != nil {
			return err
		}
		return writeObjects(os.Stdout, seed, count)
	case len(args) == 1 && args[0] == "read":
		return readObjects(os.Stdin, os.Stdout)
	case len(args) == 3 && args[0] == "document":
		return compareDocuments(args[1], args[2])
	}
	return fmt.Errorf("unknown arguments\n%s", usage)
}

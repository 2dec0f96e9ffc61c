package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"sort"
	"strings"

	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// resourceFact is what discovery says of a resource.
type resourceFact struct {
	Kind string `json:"kind"`
	// Where the kind is of another group version than its resource.
	Group      string   `json:"group,omitempty"`
	Version    string   `json:"version,omitempty"`
	Namespaced bool     `json:"namespaced"`
	Singular   string   `json:"singular,omitempty"`
	ShortNames []string `json:"shortNames,omitempty"`
	Categories []string `json:"categories,omitempty"`
	Verbs      []string `json:"verbs"`
	Hash       string   `json:"storageVersionHash,omitempty"`
}

// resourceFacts are the resources of all stable versions, from the discovery documents that are published with the sources.
func resourceFacts(source string) (section, error) {
	paths, err := filepath.Glob(filepath.Join(source, "api", "discovery", "*.json"))
	if err != nil {
		return nil, err
	}
	sort.Strings(paths)
	var facts section
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		var list meta.APIResourceList
		if err := json.Unmarshal(text, &list); err != nil {
			return nil, err
		}
		version := list.GroupVersion[strings.LastIndex(list.GroupVersion, "/")+1:]
		if list.Kind != "APIResourceList" || !stableVersion.MatchString(version) {
			continue
		}
		var resources section
		for _, each := range list.APIResources {
			resources.add(each.Name, resourceFact{
				each.Kind, each.Group, each.Version, each.Namespaced, each.SingularName, each.ShortNames, each.Categories, each.Verbs,
				each.StorageVersionHash,
			})
		}
		facts.add(list.GroupVersion, resources)
	}
	return facts, nil
}

package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"sort"
	"strings"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clientscheme "k8s.io/client-go/kubernetes/scheme"
	apiregistration "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
)

// fieldFact is what is known of one field as it travels in JSON.
type fieldFact struct {
	// Go's type, as error texts name it.
	Go string `json:"go"`
	// The structs that are written into their owner and hold the field, from the outermost: `RuleWithOperations.Rule`.
	In string `json:"in,omitempty"`
	// Of protobuf; with the numbers of the structs that hold it before it: `2.1`. Absent where the field does not travel.
	Number string `json:"number,omitempty"`
	// The list is a message of its own in protobuf.
	Wrapped bool `json:"wrapped,omitempty"`
	// What stands there when the field has its zero value; absent when it is left out then.
	Empty json.RawMessage `json:"empty,omitempty"`
	// The field is written when it points to "", 0 or false.
	KeepsZero bool `json:"keepsZero,omitempty"`
	// Strategic merge patches: `merge:containerPort`, `merge`, `retainKeys`.
	Patch string `json:"patch,omitempty"`
	// Server-side apply: `map:containerPort,protocol`, `set`, `atomic`, `granular`.
	Apply string `json:"apply,omitempty"`
	// The value that readers of the schema put in place.
	Default json.RawMessage `json:"default,omitempty"`
}

// swagger is what is read of the OpenAPI document that is published with the sources: markers do not reach Go's types.
type swagger struct {
	Definitions map[string]struct {
		MapType    string `json:"x-kubernetes-map-type"`
		Properties map[string]struct {
			ListType string          `json:"x-kubernetes-list-type"`
			ListKeys []string        `json:"x-kubernetes-list-map-keys"`
			MapType  string          `json:"x-kubernetes-map-type"`
			Default  json.RawMessage `json:"default"`
		} `json:"properties"`
	} `json:"definitions"`
}

func readSwagger(source string) (swagger, error) {
	var document swagger
	text, err := os.ReadFile(filepath.Join(source, "api", "openapi-spec", "swagger.json"))
	if err != nil {
		return document, err
	}
	return document, json.Unmarshal(text, &document)
}

// stableVersion is of groups that a server serves without being asked to.
var stableVersion = regexp.MustCompile(`^v\d+$`)

// servedOnDemand are the kinds of other versions that our server has for those who switch them on.
var servedOnDemand = map[string]bool{
	"io.k8s.api.storage.v1beta1.VolumeAttributesClass":     true,
	"io.k8s.api.storage.v1beta1.VolumeAttributesClassList": true,
}

// scheme knows every kind of the release that clients know.
func newScheme() *runtime.Scheme {
	scheme := clientscheme.Scheme
	for _, add := range []func(*runtime.Scheme) error{apiextensions.AddToScheme, apiregistration.AddToScheme} {
		if err := add(scheme); err != nil {
			panic(err)
		}
	}
	return scheme
}

// typeFacts says of every type of a stable version, and of those served on demand, what its fields are.
func typeFacts(document swagger) section {
	found := map[string]reflect.Type{}
	for kind, goType := range newScheme().AllKnownTypes() {
		if stableVersion.MatchString(kind.Version) || servedOnDemand[definitionName(goType)] {
			collect(goType, found)
		}
	}
	for _, discovery := range []any{meta.APIGroupList{}, meta.APIResourceList{}, meta.APIVersions{}, meta.Status{}} {
		collect(reflect.TypeOf(discovery), found)
	}
	names := make([]string, 0, len(found))
	for name := range found {
		names = append(names, name)
	}
	sort.Strings(names)
	var facts section
	for _, name := range names {
		facts.add(name, fieldsOf(found[name], name, document))
	}
	return facts
}

var marshaler = reflect.TypeOf((*json.Marshaler)(nil)).Elem()

// isValue tells types that write themselves, and are something simpler in JSON than in Go.
func isValue(goType reflect.Type) bool {
	return goType.Implements(marshaler) || reflect.PointerTo(goType).Implements(marshaler)
}

// collect finds the structs that a type is made of, as far as our server has them.
func collect(goType reflect.Type, found map[string]reflect.Type) {
	switch goType.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Array:
		collect(goType.Elem(), found)
	case reflect.Struct:
		name := definitionName(goType)
		_, known := found[name]
		version := name[strings.LastIndex(strings.TrimSuffix(name, "."+goType.Name()), ".")+1:]
		isServed := stableVersion.MatchString(strings.TrimSuffix(version, "."+goType.Name())) || servedOnDemand[name]
		if known || isValue(goType) || !isServed {
			return
		}
		found[name] = goType
		for _, field := range flatten(goType, nil, nil) {
			collect(field.Type, found)
		}
	}
}

// definitionName is the name of a type in OpenAPI documents: `io.k8s.api.core.v1.Pod`.
func definitionName(goType reflect.Type) string {
	path := strings.Split(goType.PkgPath(), "/")
	host := strings.Split(path[0], ".")
	for i, j := 0, len(host)-1; i < j; i, j = i+1, j-1 {
		host[i], host[j] = host[j], host[i]
	}
	return strings.Join(append(append(host, path[1:]...), goType.Name()), ".")
}

// flatField is a field with the structs that JSON writes into their owner on the way to it.
type flatField struct {
	reflect.StructField
	json string
	in   []string
	// Its number in protobuf, and those of the structs; "" for what does not travel.
	number string
	outer  []string
}

func protobufNumber(field reflect.StructField) string {
	_, after, _ := strings.Cut(field.Tag.Get("protobuf"), ",")
	number, _, _ := strings.Cut(after, ",")
	return number
}

// isMessage tells lists that are a type with a message of its own.
func isMessage(goType reflect.Type) bool {
	_, found := reflect.PointerTo(goType).MethodByName("Marshal")
	return found && goType.Kind() == reflect.Slice
}

// flatten lists the fields of a struct as they stand in JSON, in their order.
func flatten(goType reflect.Type, in, outer []string) []flatField {
	var fields []flatField
	for index := range goType.NumField() {
		field := goType.Field(index)
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		number := protobufNumber(field)
		switch {
		case !field.IsExported() || name == "-":
		case name == "" && (field.Anonymous || strings.Contains(options, "inline")):
			inner := field.Type
			if inner.Kind() == reflect.Pointer {
				inner = inner.Elem()
			}
			fields = append(fields, flatten(inner, added(in, field.Name), added(outer, number))...)
		default:
			if name == "" {
				name = field.Name
			}
			fields = append(fields, flatField{field, name, in, number, outer})
		}
	}
	return fields
}

func added(list []string, item string) []string {
	return append(append([]string(nil), list...), item)
}

func fieldsOf(goType reflect.Type, name string, document swagger) section {
	var zero map[string]json.RawMessage
	text, err := json.Marshal(reflect.New(goType).Interface())
	if err == nil {
		err = json.Unmarshal(text, &zero)
	}
	if err != nil {
		panic(err)
	}
	definition := document.Definitions[name]
	facts := section{}
	if definition.MapType != "" {
		facts.add("", definition.MapType)
	}
	for _, field := range flatten(goType, nil, nil) {
		fact := fieldFact{Go: field.Type.String(), In: strings.Join(field.in, "."), KeepsZero: keepsZero(field.Type), Patch: patchOf(field)}
		if field.number != "" && !contains(field.outer, "") {
			fact.Number = strings.Join(added(field.outer, field.number), ".")
			fact.Wrapped = isMessage(field.Type)
		}
		if empty, written := zero[field.json]; written {
			fact.Empty = shortened(empty)
		}
		property := definition.Properties[field.json]
		fact.Default = property.Default
		fact.Apply = property.ListType + property.MapType
		if len(property.ListKeys) > 0 {
			fact.Apply += ":" + strings.Join(property.ListKeys, ",")
		}
		facts.add(field.json, fact)
	}
	return facts
}

// keepsZero tells pointers to scalars: the absent and the zero value are two things.
func keepsZero(goType reflect.Type) bool {
	if goType.Kind() != reflect.Pointer {
		return false
	}
	text, err := json.Marshal(reflect.New(goType.Elem()).Interface())
	if err != nil {
		panic(err)
	}
	switch string(text) {
	case `""`, `"0"`, "0", "false":
		return true
	}
	return false
}

// shortened is {} for a struct, whose own fields say what is in it.
func shortened(empty json.RawMessage) json.RawMessage {
	if strings.HasPrefix(string(empty), "{") {
		return json.RawMessage("{}")
	}
	return empty
}

func patchOf(field flatField) string {
	strategy := field.Tag.Get("patchStrategy")
	if key := field.Tag.Get("patchMergeKey"); key != "" {
		strategy += ":" + key
	}
	return strategy
}

func contains(list []string, wanted string) bool {
	for _, item := range list {
		if item == wanted {
			return true
		}
	}
	return false
}

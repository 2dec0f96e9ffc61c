package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"sort"
	"strings"
	"time"

	authentication "k8s.io/api/authentication/v1"
	authorization "k8s.io/api/authorization/v1"
	certificates "k8s.io/api/certificates/v1"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	jsonserializer "k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/apimachinery/pkg/util/intstr"
	"sigs.k8s.io/randfill"
)

// encoded is an object as it travels: in either form, or in both.
type encoded struct {
	JSON     json.RawMessage `json:"json,omitempty"`
	Protobuf []byte          `json:"protobuf,omitempty"`
	Error    string          `json:"error,omitempty"`
}

// writeObjects writes random objects of every kind of a stable version, a line each, as Go encodes them in both forms.
func writeObjects(out io.Writer, seed int64, ofEach int) error {
	scheme := newScheme()
	serializer := protobuf.NewSerializer(scheme, scheme)
	filler := newFiller(seed)
	lines := json.NewEncoder(out)
	for _, kind := range ownKinds(scheme) {
		for range ofEach {
			object, err := scheme.New(kind)
			if err != nil {
				return err
			}
			filler.fill(object)
			object.GetObjectKind().SetGroupVersionKind(kind)
			text, err := json.Marshal(object)
			if err != nil {
				return fmt.Errorf("%v: %w", kind, err)
			}
			var message bytes.Buffer
			if err := serializer.Encode(object, &message); err != nil {
				return fmt.Errorf("%v: %w", kind, err)
			}
			if err := lines.Encode(encoded{JSON: text, Protobuf: message.Bytes()}); err != nil {
				return err
			}
		}
	}
	return nil
}

// ownKinds are the kinds in their order; those that every group has (options, Status) only once.
func ownKinds(scheme *runtime.Scheme) []schema.GroupVersionKind {
	var kinds []schema.GroupVersionKind
	for kind, goType := range scheme.AllKnownTypes() {
		everywhere := strings.HasSuffix(goType.PkgPath(), "/apis/meta/v1")
		if stableVersion.MatchString(kind.Version) && (!everywhere || kind.Group == "") {
			kinds = append(kinds, kind)
		}
	}
	sort.Slice(kinds, func(i, j int) bool { return kinds[i].String() < kinds[j].String() })
	return kinds
}

type filler struct {
	random *randfill.Filler
	// How many schemas may still be filled: they hold each other.
	schemas int
}

func (f *filler) fill(object runtime.Object) {
	f.schemas = 3
	f.random.Fill(object)
}

// newFiller makes values that both forms can tell apart: no empty lists and maps, whole numbers that are exact everywhere.
func newFiller(seed int64) *filler {
	f := &filler{}
	f.random = randfill.NewWithSeed(seed).NilChance(0.5).NumElements(1, 2).Funcs(
		func(*meta.TypeMeta, randfill.Continue) {},
		func(value *int64, c randfill.Continue) { *value = c.Int63n(1<<53) - 1<<52 },
		func(value *meta.Time, c randfill.Continue) { value.Time = time.Unix(c.Int63n(4e9), 0).UTC() },
		func(value *meta.MicroTime, c randfill.Continue) { value.Time = time.UnixMicro(c.Int63n(4e15)).UTC() },
		func(value *resource.Quantity, c randfill.Continue) {
			suffixes := []string{"", "m", "k", "M", "Ki", "Mi", "Gi"}
			*value = resource.MustParse(fmt.Sprintf("%d%s", c.Intn(100000), suffixes[c.Intn(len(suffixes))]))
		},
		// In maps these would be null.
		func(value *[]byte, c randfill.Continue) { *value = []byte(c.String(1)) },
		func(value *authentication.ExtraValue, c randfill.Continue) {
			*value = authentication.ExtraValue{c.String(0)}
		},
		func(value *authorization.ExtraValue, c randfill.Continue) {
			*value = authorization.ExtraValue{c.String(0)}
		},
		func(value *certificates.ExtraValue, c randfill.Continue) {
			*value = certificates.ExtraValue{c.String(0)}
		},
		func(value *intstr.IntOrString, c randfill.Continue) {
			if *value = intstr.FromInt32(c.Int31()); c.Bool() {
				*value = intstr.FromString(c.String(0))
			}
		},
		func(value *runtime.RawExtension, c randfill.Continue) {
			value.Raw = fmt.Appendf(nil, `{"apiVersion":"example.com/v1","kind":"Any","number":%d}`, c.Intn(1000))
		},
		func(value *meta.FieldsV1, c randfill.Continue) {
			value.Raw = fmt.Appendf(nil, `{"f:field%d":{}}`, c.Intn(1000))
		},
		func(value *apiextensions.JSON, c randfill.Continue) {
			value.Raw = fmt.Appendf(nil, `{"any":[%d,null]}`, c.Intn(1000))
		},
		f.fillSchema,
		fillSchemaOrBool,
		fillSchemaOrList,
		fillSchemaOrNames,
	)
	return f
}

func (f *filler) fillSchema(value *apiextensions.JSONSchemaProps, c randfill.Continue) {
	if f.schemas == 0 {
		value.Type = c.String(0)
		return
	}
	f.schemas--
	c.FillNoCustom(value)
}

func fillSchemaOrBool(value *apiextensions.JSONSchemaPropsOrBool, c randfill.Continue) {
	if value.Allows = c.Bool(); c.Bool() {
		*value = apiextensions.JSONSchemaPropsOrBool{Allows: true, Schema: &apiextensions.JSONSchemaProps{}}
		c.Fill(value.Schema)
	}
}

func fillSchemaOrList(value *apiextensions.JSONSchemaPropsOrArray, c randfill.Continue) {
	if c.Bool() {
		value.Schema = &apiextensions.JSONSchemaProps{}
		c.Fill(value.Schema)
	} else {
		value.JSONSchemas = make([]apiextensions.JSONSchemaProps, 2)
		c.Fill(&value.JSONSchemas[0])
	}
}

func fillSchemaOrNames(value *apiextensions.JSONSchemaPropsOrStringArray, c randfill.Continue) {
	if c.Bool() {
		value.Schema = &apiextensions.JSONSchemaProps{}
		c.Fill(value.Schema)
	} else {
		value.Property = []string{c.String(0)}
	}
}

// readObjects reads objects in either form, a line each, and writes what Go makes of them: their JSON, or why it refuses them.
func readObjects(in io.Reader, out io.Writer) error {
	scheme := newScheme()
	fromProtobuf := protobuf.NewSerializer(scheme, scheme)
	fromJSON := jsonserializer.NewSerializerWithOptions(jsonserializer.DefaultMetaFactory, scheme, scheme, jsonserializer.SerializerOptions{})
	read := func(given encoded) (runtime.Object, error) {
		if given.Protobuf != nil {
			object, kind, err := fromProtobuf.Decode(given.Protobuf, nil, nil)
			if err == nil {
				object.GetObjectKind().SetGroupVersionKind(*kind)
			}
			return object, err
		}
		object, _, err := fromJSON.Decode(given.JSON, nil, nil)
		return object, err
	}
	lines := json.NewEncoder(out)
	for decoder := json.NewDecoder(in); decoder.More(); {
		var given, answer encoded
		if err := decoder.Decode(&given); err != nil {
			return err
		}
		object, err := read(given)
		if err == nil {
			answer.JSON, err = json.Marshal(object)
		}
		if err != nil {
			answer.Error = err.Error()
		}
		if err := lines.Encode(answer); err != nil {
			return err
		}
	}
	return nil
}

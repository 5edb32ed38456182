// The Kubernetes provider of Pulumi, built from its Go module. Its own main package needs a schema that a generator of its repository
// makes; the engine never asks for it.
package main

import "github.com/pulumi/pulumi-kubernetes/provider/v4/pkg/provider"

// The version of @pulumi/kubernetes in package.json: the engine takes no other for the SDK's.
const version = "4.34.2"

func main() {
	provider.Serve("kubernetes", version, []byte("{}"), []byte("{}"))
}

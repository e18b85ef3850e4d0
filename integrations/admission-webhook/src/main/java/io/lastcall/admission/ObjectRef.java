package io.lastcall.admission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import java.util.stream.StreamSupport;

/** Names an object of Kubernetes, in a Pod's namespace. */
record ObjectRef(String apiVersion, String kind, String name, String uid) {

  /** Returns the controller that owns the object with this metadata. */
  static Optional<ObjectRef> ownerOf(JsonNode metadata) {
    return StreamSupport.stream(metadata.path("ownerReferences").spliterator(), false)
        .filter(owner -> owner.path("controller").asBoolean())
        .map(
            owner ->
                new ObjectRef(
                    owner.path("apiVersion").asText(),
                    owner.path("kind").asText(),
                    owner.path("name").asText(),
                    owner.path("uid").asText()))
        .findFirst();
  }

  boolean isReplicaSet() {
    return kind.equals("ReplicaSet") && apiVersion.startsWith("apps/");
  }

  void write(ObjectNode reference, String namespace) {
    reference.put("apiVersion", apiVersion).put("kind", kind).put("namespace", namespace);
    reference.put("name", name).put("uid", uid);
  }
}

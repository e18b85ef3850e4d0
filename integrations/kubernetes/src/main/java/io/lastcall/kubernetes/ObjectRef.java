package io.lastcall.kubernetes;

import static io.lastcall.kubernetes.PodState.member;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Names an object of Kubernetes in the own namespace. */
record ObjectRef(String apiVersion, String kind, String name, String uid) {

  /** Returns the controller that owns the object with this metadata. */
  static Optional<ObjectRef> ownerOf(@Nullable Object metadata) {
    return member(metadata, "ownerReferences") instanceof List<?> owners
        ? owners.stream()
            .filter(owner -> Boolean.TRUE.equals(member(owner, "controller")))
            .<ObjectRef>flatMap(owner -> read(owner).stream())
            .findFirst()
        : Optional.empty();
  }

  private static Optional<ObjectRef> read(@Nullable Object owner) {
    return member(owner, "apiVersion") instanceof String apiVersion
            && member(owner, "kind") instanceof String kind
            && member(owner, "name") instanceof String name
            && member(owner, "uid") instanceof String uid
        ? Optional.of(new ObjectRef(apiVersion, kind, name, uid))
        : Optional.empty();
  }

  boolean isReplicaSet() {
    return kind.equals("ReplicaSet") && apiVersion.startsWith("apps/");
  }

  /** Returns the object as an ObjectReference. */
  String json(String namespace) {
    return "{\"apiVersion\":%s,\"kind\":%s,\"namespace\":%s,\"name\":%s,\"uid\":%s}"
        .formatted(
            Json.quoted(apiVersion),
            Json.quoted(kind),
            Json.quoted(namespace),
            Json.quoted(name),
            Json.quoted(uid));
  }
}

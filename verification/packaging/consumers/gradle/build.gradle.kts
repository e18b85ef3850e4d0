plugins { application }

repositories {
    maven(providers.gradleProperty("lastcallRepository"))
    mavenCentral()
}

dependencies {
    implementation(platform("io.lastcall:lastcall-bom:${property("lastcallVersion")}"))
    implementation("io.lastcall:lastcall-core")
    runtimeOnly("org.slf4j:slf4j-simple:2.0.20")
}

// The README's quick start: verification/packaging/consumers/run copies it there.
sourceSets { main { java.setSrcDirs(listOf("target/quickstart")) } }

application { mainClass = "io.lastcall.examples.work.quickstart.Consumer" }

package bot

import (
	"bufio"
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
)

var forgeURL string

// TestMain starts one forge with demo data for all tests.
func TestMain(m *testing.M) {
	os.Exit(runWithForge(m))
}

func runWithForge(m *testing.M) int {
	command := os.Getenv("FORGELET")
	if command == "" {
		// The program itself: a signal to npx would not end the server.
		command = "node_modules/.bin/forgelet"
	}
	arguments := append(strings.Fields(command), "serve", "--control", "--seed", "demo", "--port", "0", "--exit-with-parent")
	server := exec.Command(arguments[0], arguments[1:]...)
	server.Stderr = os.Stderr
	// The server ends when its standard input does: below, or when this process is killed.
	input, err := server.StdinPipe()
	if err != nil {
		panic(err)
	}
	output, err := server.StdoutPipe()
	if err != nil {
		panic(err)
	}
	if err := server.Start(); err != nil {
		panic(err)
	}
	defer func() {
		input.Close()
		server.Wait()
	}()
	// The first line of the output ends with the URL.
	line, err := bufio.NewReader(output).ReadString('\n')
	if err != nil {
		panic("the forge did not start: see its error output")
	}
	words := strings.Fields(line)
	forgeURL = words[len(words)-1]
	return m.Run()
}

// control calls a route of the control plane, such as "/clock/advance".
func control(t *testing.T, path string, body any) {
	t.Helper()
	data, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.Post(forgeURL+"/_forgelet"+path, "application/json", bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode >= 300 {
		t.Fatalf("POST /_forgelet%s: %s", path, response.Status)
	}
}

// newForge resets the forge and returns its URL.
func newForge(t *testing.T) string {
	t.Helper()
	control(t, "/reset", struct{}{})
	return forgeURL
}

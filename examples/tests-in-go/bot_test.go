package bot

import (
	"strings"
	"testing"
)

func TestCreatesALabel(t *testing.T) {
	label, err := AddLabel(newForge(t), "carol-token", "acme/web", "idea", "teal")
	if err != nil {
		t.Fatal(err)
	}
	if label.Color != "#008080" {
		t.Errorf("color: %s", label.Color)
	}
}

func TestReportsAFailure(t *testing.T) {
	forge := newForge(t)
	control(t, "/faults", map[string]any{"on": "POST /projects/:id/labels", "status": 503, "times": 1})
	_, err := AddLabel(forge, "carol-token", "acme/web", "idea", "teal")
	if err == nil || !strings.Contains(err.Error(), "503") {
		t.Errorf("error: %v", err)
	}
}

// Package bot adds labels to projects.
package bot

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
)

// Label is a label as the API returns it.
type Label struct {
	ID    int    `json:"id"`
	Name  string `json:"name"`
	Color string `json:"color"`
}

// AddLabel creates a label in a project, given by its path.
func AddLabel(baseURL, token, project, name, color string) (*Label, error) {
	body, err := json.Marshal(map[string]string{"name": name, "color": color})
	if err != nil {
		return nil, err
	}
	target := baseURL + "/api/v4/projects/" + url.PathEscape(project) + "/labels"
	request, err := http.NewRequest(http.MethodPost, target, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("PRIVATE-TOKEN", token)
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if response.StatusCode >= 300 {
		return nil, fmt.Errorf("create label %q: %s", name, response.Status)
	}
	var label Label
	return &label, json.NewDecoder(response.Body).Decode(&label)
}

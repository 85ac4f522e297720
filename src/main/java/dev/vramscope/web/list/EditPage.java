package dev.vramscope.web.list;

import dev.vramscope.store.SnapshotStore;
import dev.vramscope.web.problem.RefusedRequestException;
import dev.vramscope.web.request.Immediate;
import dev.vramscope.web.request.MetadataParameters;
import java.util.List;
import java.util.Map;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** The form that changes the name and tags of a snapshot. */
@Controller
class EditPage {
  private final SnapshotStore store;

  EditPage(SnapshotStore store) {
    this.store = store;
  }

  @Immediate
  @GetMapping("/snapshots/{id}/edit")
  String form(@PathVariable String id, Model model) {
    model.addAttribute(
        "stored", store.get(id).orElseThrow(() -> RefusedRequestException.noSnapshot(id)));
    return "edit";
  }

  @PostMapping("/snapshots/{id}/edit")
  String save(@PathVariable String id, @RequestParam MultiValueMap<String, String> fields) {
    MetadataParameters parameters = new MetadataParameters(Map.copyOf(fields));
    String name = parameters.name();
    if (name == null) {
      throw RefusedRequestException.badParameter(
          "name", fields.getOrDefault("name", List.of()), "a name");
    }
    if (store.update(id, name, parameters.tags()).isEmpty()) {
      throw RefusedRequestException.noSnapshot(id);
    }
    return "redirect:/snapshots/" + id;
  }
}

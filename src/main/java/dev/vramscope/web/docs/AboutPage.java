package dev.vramscope.web.docs;

import dev.vramscope.web.display.Glossary;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.servlet.support.ServletUriComponentsBuilder;

/** What vramscope is, how to use it from a shell, and the glossary. */
@Controller
class AboutPage {
  private static final String EXAMPLES =
      """
      # upload a file, uncompressed or compressed; Location of the response is its URL
      curl --data-binary @snapshot.pickle 'SERVICE/api/v1/snapshots?job=llama&rank=0&step=1200'
      gzip -c snapshot.pickle | curl --data-binary @- 'SERVICE/api/v1/snapshots?name=snapshot'
      curl -F file=@snapshot.pickle -F job=llama SERVICE/api/v1/snapshots

      # find it again
      curl 'SERVICE/api/v1/snapshots?job=llama&q=rank'

      # query it
      curl SERVICE/api/v1/snapshots/ID/summary.txt              # torch.cuda.memory_summary()
      curl SERVICE/api/v1/snapshots/ID/ledger?total=80GiB       # where every byte is
      curl SERVICE/api/v1/snapshots/ID/sites                    # which code holds it
      curl SERVICE/api/v1/snapshots/ID/oom                      # why the request failed
      curl SERVICE/api/v1/snapshots/ID/oom?bytes=2GiB           # would this fit?
      """;

  private final String version;
  private final Glossary glossary;

  AboutPage(@Value("${spring.application.version:}") String version, Glossary glossary) {
    this.glossary = glossary;
    this.version = version;
  }

  @GetMapping("/about")
  String show(Model model) {
    String service = ServletUriComponentsBuilder.fromCurrentContextPath().toUriString();
    model.addAttribute("examples", EXAMPLES.replace("SERVICE", service));
    model.addAttribute("version", version);
    model.addAttribute("glossary", glossary.groups());
    return "about";
  }
}

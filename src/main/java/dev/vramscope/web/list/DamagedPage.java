package dev.vramscope.web.list;

import dev.vramscope.store.Damage;
import dev.vramscope.store.StoreStatus;
import dev.vramscope.web.request.Slice;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** All damaged snapshots; other pages show the first ones. */
@Controller
class DamagedPage {
  static final int PAGE_SIZE = 100;

  private final StoreStatus status;

  DamagedPage(StoreStatus status) {
    this.status = status;
  }

  @GetMapping("/snapshots/damaged")
  String list(@RequestParam(defaultValue = "0") int offset, Model model) {
    Slice.requireOffset(offset);
    int total = status.damagedCount();
    int from = Slice.offsetIn(total, offset, PAGE_SIZE);
    model.addAttribute(
        "slice", new Slice<Damage>(status.damaged(from, PAGE_SIZE), from, PAGE_SIZE, total));
    return "damaged";
  }
}

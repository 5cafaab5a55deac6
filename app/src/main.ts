import { SKIN_DEFAULTS } from "../../src/index.ts";
import { createActions } from "./actions.ts";
import { createEngine } from "./engine.ts";
import { connectKeys } from "./keys.ts";
import { connectPointer } from "./pointer.ts";
import { createStore } from "./store.ts";
import { clearAlert, showAlert } from "./ui/alerts.ts";
import { createBindPanel } from "./ui/bind-panel.ts";
import { createComparePanel } from "./ui/compare-panel.ts";
import { find } from "./ui/dom.ts";
import { createInspector } from "./ui/inspector.ts";
import { createJointTree } from "./ui/joint-tree.ts";
import { createLookPanel } from "./ui/look-panel.ts";
import { createOpenPanel } from "./ui/open-panel.ts";
import { createPaintPanel } from "./ui/paint-panel.ts";
import { createPosePanel } from "./ui/pose-panel.ts";
import { createSavePanel } from "./ui/save-panel.ts";
import { createStatusBar } from "./ui/status-bar.ts";
import { createTeachPanel } from "./ui/teach-panel.ts";
import { connectTheme } from "./ui/theme.ts";
import { createCharacterView } from "./view/character-view.ts";

const store = createStore({
  method: SKIN_DEFAULTS.method,
  maxInfluences: SKIN_DEFAULTS.maxInfluences,
  smooth: 0,
  provider: "auto",
});
const engine = createEngine(store.state);
const actions = createActions(store, engine, showAlert);
connectTheme();
createJointTree(store);
createBindPanel(store, actions);
createLookPanel(store);
createPosePanel(store);
createComparePanel(store);
createPaintPanel(store, actions);
createTeachPanel(actions);
createSavePanel(store, actions);
createOpenPanel(store, actions);
const status = createStatusBar(store);
store.on(["character"], clearAlert);

try {
  const view = createCharacterView(find<HTMLCanvasElement>("canvas"), store);
  const inspect = createInspector(store);
  connectPointer(view, store, actions.history, inspect, () => void actions.review());
  connectKeys(view);
  view.viewport.canvas.addEventListener("webglcontextlost", () =>
    showAlert("The browser lost the graphics card; the view comes back with it, weights are safe."),
  );
  view.viewport.canvas.addEventListener("webglcontextrestored", () => {
    clearAlert();
    view.viewport.redraw();
  });
} catch {
  showAlert(
    "This browser offers no WebGL, so nothing can be shown; binding and saving still work.",
  );
}

engine
  .warm((_, fraction) => status.download(fraction))
  .then(
    () => status.ready("Network ready"),
    (error: Error) => {
      status.ready("No network");
      showAlert(`The network could not be fetched: ${error.message} Other methods work.`);
    },
  );

import { SKIN_DEFAULTS } from "../../src/index.ts";
import { hasUnsavedPaint } from "./binds.ts";
import { createActions } from "./create-actions.ts";
import { createEngine } from "./engine.ts";
import { startIntro } from "./intro.ts";
import { connectShortcuts } from "./keys.ts";
import { showView } from "./show-view.ts";
import { createStore } from "./store.ts";
import { clearAlert, showAlert, showNotice } from "./ui/alerts.ts";
import { ask, withdrawQuestion } from "./ui/ask.ts";
import { createBindPanel } from "./ui/bind-panel.ts";
import { createCompareBar } from "./ui/compare-bar.ts";
import { createFitPanel } from "./ui/fit-panel.ts";
import { createJointTree } from "./ui/joint-tree.ts";
import { createLookBar } from "./ui/look-bar.ts";
import { createMotionBar } from "./ui/motion-bar.ts";
import { createOpenPanel } from "./ui/open-panel.ts";
import { createPaintPanel } from "./ui/paint-panel.ts";
import { createPosePanel } from "./ui/pose-panel.ts";
import { createQualityPanel } from "./ui/quality-panel.ts";
import { createSaveBar } from "./ui/save-bar.ts";
import { connectSideWidth } from "./ui/side-width.ts";
import { createStatusBar } from "./ui/status-bar.ts";
import { createTeachPanel } from "./ui/teach-panel.ts";
import { connectTheme } from "./ui/theme.ts";
import { createWeightsPanel } from "./ui/weights-panel.ts";
import { warmNetwork } from "./warm-network.ts";

const store = createStore({
  method: SKIN_DEFAULTS.method,
  maxInfluences: SKIN_DEFAULTS.maxInfluences,
  smooth: 0,
  provider: "auto",
  symmetry: true,
});
const { state } = store;
const engine = createEngine(state);
const actions = createActions(store, engine, {
  alert: showAlert,
  notice: showNotice,
  ask,
  withdraw: withdrawQuestion,
});
let flyTo: (vertices: number[], joint: number) => void = () => undefined;

connectTheme();
connectSideWidth();
createJointTree(store);
createWeightsPanel(store, actions);
createQualityPanel(
  store,
  (vertices, joint) => flyTo(vertices, joint),
  (findings) => void actions.fix(findings),
);
createBindPanel(store, actions);
createPaintPanel(store, actions);
createPosePanel(store, actions);
createTeachPanel(store, actions);
createFitPanel(store, actions);
createSaveBar(store, actions);
createLookBar(store);
createCompareBar(store);
createMotionBar(store);
createOpenPanel(store, actions);
createStatusBar(store);
connectShortcuts(store, actions);
store.on(["character"], clearAlert);
flyTo = showView(store, engine, actions) ?? flyTo;

addEventListener("beforeunload", (event) => {
  if (hasUnsavedPaint(state)) event.preventDefault();
});

void warmNetwork(store, engine, showAlert);
startIntro(store, actions);

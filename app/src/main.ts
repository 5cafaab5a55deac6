import { connectAddress } from "./address.ts";
import { hasUnsavedPaint } from "./binds.ts";
import { createActions } from "./create-actions.ts";
import { defaultOptions } from "./default-options.ts";
import { createEngine } from "./engine.ts";
import { galleryEntry } from "./gallery.ts";
import { openedFirst, startIntro } from "./intro.ts";
import { keepOffline } from "./keep-offline.ts";
import { connectShortcuts } from "./keys.ts";
import { showMotion } from "./play-motion.ts";
import { showView } from "./show-view.ts";
import { createStore, type Store } from "./store.ts";
import { clearAlert, clearError, showAlert, showNotice } from "./ui/alerts.ts";
import { ask, cancelQuestion } from "./ui/ask.ts";
import { createBindPanel } from "./ui/bind-panel.ts";
import { createCompareBar } from "./ui/compare-bar.ts";
import { createFitPanel } from "./ui/fit-panel.ts";
import { createJointTree } from "./ui/joint-tree.ts";
import { createLookBar } from "./ui/look-bar.ts";
import { createMotionBar } from "./ui/motion-bar.ts";
import { createOpenPanel } from "./ui/open-panel.ts";
import { createPaintPanel } from "./ui/paint-panel.ts";
import { createPosePanel } from "./ui/pose-panel.ts";
import { createPoseStrip } from "./ui/pose-strip.ts";
import { createQualityPanel } from "./ui/quality-panel.ts";
import { createSaveBar } from "./ui/save-bar.ts";
import { createShareTools } from "./ui/share-tools.ts";
import { connectShortcutsButton } from "./ui/shortcuts.ts";
import { connectSideWidth } from "./ui/side-width.ts";
import { createStatusBar } from "./ui/status-bar.ts";
import { createTeachPanel } from "./ui/teach-panel.ts";
import { connectTheme } from "./ui/theme.ts";
import { cameraOf, createViewTools } from "./ui/view-tools.ts";
import { createWeightsPanel } from "./ui/weights-panel.ts";
import { warmNetwork } from "./warm-network.ts";

/** Builds the page in its document and starts it. */
export function main(): void {
  const store = createStore({ ...defaultOptions(), provider: "auto" });
  const { state } = store;
  const engine = createEngine(state);
  const actions = createActions(store, engine, {
    alert: showAlert,
    notice: showNotice,
    clearError,
    moves: () => showMotion(store),
    ask,
    cancelQuestion,
  });
  let flyTo: (vertices: number[], joint: number) => void = () => undefined;

  connectTheme();
  connectSideWidth();
  createJointTree(store);
  createWeightsPanel(store, actions);
  const strip = createPoseStrip(store, actions);
  createQualityPanel(
    store,
    (vertices, joint) => flyTo(vertices, joint),
    (findings) => void actions.fix(findings),
    strip,
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
  const tools = createViewTools(store);
  connectShortcutsButton();
  const shown = showView(store, engine, actions, tools);
  if (shown) {
    flyTo = shown.flyTo;
    strip.connect(shown.view, shown.flyTo);
    tools.connect(shown.view);
    createShareTools(store, shown.view);
  }
  const camera = shown && cameraOf(shown.view, tools);
  connectAddress(store, (name) => void actions.openSample(name), camera);

  addEventListener("beforeunload", (event) => {
    if (hasUnsavedPaint(state)) event.preventDefault();
  });

  void actions.recall();
  warmOnceShown(store, () => void warmNetwork(store, engine, showAlert));
  keepOffline(store);
  startIntro(store, actions, camera);
}

/** Delay after which the network is fetched even if no character is open (ms). */
const PATIENCE = 3000;

/** Fetches the network once the first character is on the screen; earlier it would only delay that. */
function warmOnceShown(store: Store, warm: () => void): void {
  let isWarm = false;
  const once = () => {
    if (!isWarm) warm();
    isWarm = true;
  };
  store.on(["character"], once);
  setTimeout(once, galleryEntry(openedFirst()) ? PATIENCE : 0);
}

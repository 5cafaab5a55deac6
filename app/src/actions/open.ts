import { ENDINGS, endingOf, parseRigNetText, RIGGED_ENDINGS } from "../../../src/formats/index.ts";
import type { SkinWeights } from "../../../src/index.ts";
import { type Direction, findUp } from "../../../src/parts.ts";
import { currentWeights, hasUnsavedPaint, keepFileWeights } from "../binds.ts";
import { VisitorError, WorkerFailure } from "../call-worker.ts";
import { defaultOptions } from "../default-options.ts";
import type { ReadFile } from "../engine.ts";
import type { OpenedCharacter, PickedFile } from "../file-calls.ts";
import { ownMotions } from "../motions.ts";
import { restRotations } from "../pose-matrices.ts";
import { SKELETON_ENDING, sortFiles } from "../sort-files.ts";
import { newFitting, noMotion, type State } from "../store.ts";
import { jointReach } from "../ui/joint-rows.ts";
import type { Actions, Context } from "./actions.ts";

/** Minimum reach of the first selected joint, as a fraction of that of the heaviest joint. */
const GOOD_PART = 0.05;

const PICTURES = [".png", ".jpg", ".jpeg", ".webp", ".ktx2"];

/** Creates the actions that open files. */
export function createOpenActions(
  context: Context,
  binding: Pick<Actions, "bind">,
  fitting: Pick<Actions, "takeSkeleton"> & { offerAlignment(): void; moveOnceBound(): void },
): Pick<Actions, "openFiles" | "openSample"> {
  const { store, engine, ask, cancelQuestion, tell, notice, stop, history } = context;
  const { state } = store;
  let asked = 0;

  /** Reads a file while another is open, and shows it once it has been read without errors. */
  async function show(
    read: () => Promise<ReadFile>,
    source: State["source"],
    skeleton?: PickedFile,
  ) {
    const turn = ++asked;
    const reading = (name?: string) => {
      state.reading = name;
      store.changed("busy");
    };
    reading(source.file);
    let file: ReadFile;
    try {
      file = await read();
    } catch (error) {
      if (turn === asked) reading();
      const isFault = !(error instanceof VisitorError || error instanceof WorkerFailure);
      tell(
        isFault ? new VisitorError(`${source.file} could not be read; it may be damaged.`) : error,
      );
      return;
    }
    if (turn !== asked) return;
    reading();
    if ("skeletonOnly" in file.opened) {
      file.drop();
      if (skeleton) await openSkeleton(skeleton);
      return;
    }
    const isWanted = await confirmDiscard(source.file);
    // Another file may have been opened during the question.
    if (!isWanted || turn !== asked) return file.drop();
    stop();
    file.take();
    await place(file.opened, source);
  }

  /** Whether unsaved paint may be discarded. */
  async function confirmDiscard(name: string): Promise<boolean> {
    if (!hasUnsavedPaint(state)) return true;
    const answer = await ask(
      `You painted on ${state.source.file} and have not saved it. Open ${name} and discard it?`,
      [{ value: "open", text: `Open ${name}` }],
      "Stay here",
    );
    return answer === "open";
  }

  async function place(character: OpenedCharacter, source: State["source"]) {
    // An open question is about the previous character.
    cancelQuestion();
    begin(state, character, source);
    history.clear();
    store.changed("character", "fitting", "binds", "weights", "doubts", "comparison");
    store.changed("joint", "look", "pose", "brush", "busy", "options");
    const { waiting } = state;
    if (character.template && waiting) {
      state.waiting = undefined;
      await fitting.takeSkeleton(waiting);
      return;
    }
    if (character.misfit) fitting.offerAlignment();
    if (state.fitting) return;
    fitting.moveOnceBound();
    const { joint } = state;
    await binding.bind();
    const { skeleton, weights } = character.prepared.character;
    // Without weights in the file, the reach of the joints is known only now.
    if (weights || state.character !== character || state.joint !== joint) return;
    state.joint = firstJoint(skeleton, currentWeights(state));
    store.changed("joint");
  }

  /** Fetches what the brush needs to know, in the background. */
  function learnFacts(character: OpenedCharacter) {
    engine
      .file()
      .call("facts", undefined as never)
      .then((facts) => {
        if (state.character !== character) return;
        state.facts = facts;
        store.changed("brush");
      })
      .catch(() => undefined);
  }
  store.on(["fitting"], () => {
    if (state.character && !state.fitting && !state.facts) learnFacts(state.character);
  });

  /** Handles a file that has only a skeleton: for the open mesh, or for the next one. */
  async function openSkeleton(file: PickedFile) {
    if (state.fitting) return fitting.takeSkeleton(file);
    if (state.character && state.source.file !== "") {
      const answer = await ask(`${file.name} has a skeleton and no mesh. What is it for?`, [
        { value: "this", text: `For ${state.source.file}` },
        { value: "next", text: "For a mesh I open next" },
      ]);
      if (answer === "this" && (await confirmDiscard(file.name))) return fitting.takeSkeleton(file);
      if (answer !== "next") return;
    }
    state.waiting = file;
    notice(`${file.name} has a skeleton and no mesh: now drop the mesh it belongs to.`);
  }

  /** The given files with ZIPs unpacked; undefined if one cannot be unpacked or other files were opened. */
  async function unpacked(
    given: PickedFile[],
    zips: PickedFile[],
  ): Promise<PickedFile[] | undefined> {
    const turn = ++asked;
    const files = given.filter((file) => !zips.includes(file));
    state.reading = zips[0].name;
    store.changed("busy");
    try {
      for (const zip of zips) files.push(...(await engine.unzip(zip)));
      return turn === asked ? files : undefined;
    } catch (error) {
      if (turn === asked) tell(error);
      return undefined;
    } finally {
      if (turn === asked) {
        state.reading = undefined;
        store.changed("busy");
      }
    }
  }

  /** Adds images to the open character; weights, pose and view stay. */
  async function addPictures(files: PickedFile[]) {
    const { character } = state;
    try {
      const { used, ...dress } = await engine.file().call("addPictures", { files });
      if (!character || state.character !== character) return;
      if (used === 0) {
        const names = files.map(({ name }) => name).join(", ");
        notice(
          `${state.source.file} refers to no image ${names}; an image needs the name by which the file refers to it.`,
        );
        return;
      }
      Object.assign(character, dress);
      store.changed("dress", "binds");
      notice(used === 1 ? "The image was added." : `${used} images were added.`);
    } catch (error) {
      tell(error);
    }
  }

  /** Whether a text file is a skeleton; reports any other content. */
  async function isRig({ name, content }: PickedFile): Promise<boolean> {
    try {
      parseRigNetText(name, await content.text());
      return true;
    } catch (error) {
      tell(error instanceof Error ? new VisitorError(error.message) : error);
      return false;
    }
  }

  return {
    openSample: (name) => show(() => engine.readSample(name), { file: `${name}.glb` }),
    async openFiles(given) {
      const zips = given.filter(({ name }) => endingOf(name) === ".zip");
      const files = zips.length > 0 ? await unpacked(given, zips) : given;
      if (!files) return;
      if (state.character && files.every(({ name }) => PICTURES.includes(endingOf(name)))) {
        return addPictures(files);
      }
      const rigs = files.filter(({ name }) => endingOf(name) === SKELETON_ENDING);
      if (files.length === 1 && rigs.length === 1) {
        return (await isRig(rigs[0])) ? openSkeleton(rigs[0]) : undefined;
      }
      const chosen = await sortFiles(files, ask);
      if (!chosen) return;
      const { main, skeleton } = chosen;
      const character = main.find(({ name }) => ENDINGS.includes(endingOf(name)));
      const hasBones = character && RIGGED_ENDINGS.includes(endingOf(character.name));
      // With several files, the visitor has just answered a question.
      if (state.fitting && hasBones && files.length === 1) {
        const answer = await ask(`What is ${character.name} for?`, [
          { value: "skeleton", text: `Use its skeleton for ${state.source.file}` },
          { value: "open", text: "Open it instead" },
        ]);
        if (answer === "skeleton") return fitting.takeSkeleton(character);
        if (answer !== "open") return;
      }
      const source = {
        file: character?.name ?? files[0]?.name ?? "",
        skeleton: skeleton?.name,
        isOwn: true,
      };
      await show(() => engine.read(main, skeleton), source, character);
    },
  };
}

/** Resets the state for a character that was just opened. */
function begin(state: State, character: OpenedCharacter, source: State["source"]): void {
  const { weights, skeleton } = character.prepared.character;
  Object.assign(state, {
    character,
    source,
    options: { ...defaultOptions(), provider: state.options.provider },
    binds: [],
    current: -1,
    other: -1,
    isPeeking: false,
    arrangement: "one",
    doubts: undefined,
    comparison: undefined,
    validity: undefined,
    field: undefined,
    facts: undefined,
    joint: firstJoint(skeleton, weights),
    marked: [],
    up: upOf(character),
    look: state.look === "error" ? "heat" : state.look,
    rotations: restRotations(skeleton.parents.length),
    clip: noMotion(),
    rigging: undefined,
    motions: character.template ? undefined : ownMotions(character.prepared.character),
    locked: new Set(),
    hidden: new Set(),
    solo: undefined,
    hovered: undefined,
    shining: undefined,
    // Consent to send one character does not extend to the next.
    where: undefined,
    fitting: character.template || character.misfit ? newFitting(character.template) : undefined,
    fitted: source.skeleton && !character.misfit ? newFitting() : undefined,
  });
  keepFileWeights(state, weights);
}

/** The up axis, as far as the skeleton reveals it. */
function upOf({ prepared }: OpenedCharacter): Direction {
  const { skeleton, mesh } = prepared.character;
  return findUp(skeleton, mesh.positions)?.up ?? "y";
}

/** The joint selected at first: one that moves a good part of the body, preferably a limb. */
function firstJoint({ names }: { names: readonly string[] }, weights?: SkinWeights): number {
  const wanted = /(left|l[_. ]|[_. ]l$).*(arm|leg|wing)|upper.?arm|thigh|wing|tail|tentacle|spine/i;
  const found = names.findIndex((name) => wanted.test(name));
  if (!weights) return found >= 0 ? found : Math.min(1, names.length - 1);
  const reach = jointReach(weights, names.length);
  const limb = names.findIndex((name, joint) => wanted.test(name) && reach[joint] > GOOD_PART);
  return limb >= 0 ? limb : reach.indexOf(1);
}

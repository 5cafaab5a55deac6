import { ENDINGS, endingOf, parseRigNetText } from "../../../src/formats/index.ts";
import { hasUnsavedPaint, keepFileWeights } from "../binds.ts";
import { VisitorError, WorkerFailure } from "../call-worker.ts";
import type { ReadFile } from "../engine.ts";
import type { OpenedCharacter, PickedFile } from "../file-calls.ts";
import { restRotations } from "../pose-matrices.ts";
import { SKELETON_ENDING, sortFiles } from "../sort-files.ts";
import { noMotion, type State } from "../store.ts";
import type { Actions, Context } from "./actions.ts";

/** Actions that bring characters in. */
export function createOpenActions(
  context: Context,
  binding: Pick<Actions, "bind">,
  fitting: Pick<Actions, "takeSkeleton"> & { offerAlignment(): void },
): Pick<Actions, "openFiles" | "openSample"> {
  const { store, engine, ask, withdraw, tell, notice, stop, history } = context;
  const { state } = store;
  let asked = 0;

  /** Reads beside what is open, and puts it in its place once it is known to be good. */
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
      if (skeleton) await haveSkeleton(skeleton);
      return;
    }
    const isWanted = await mayLeave(source.file);
    // While that was asked, another file may have been given.
    if (!isWanted || turn !== asked) return file.drop();
    stop();
    file.take();
    await place(file.opened, source);
  }

  /** Whether painted work may go. */
  async function mayLeave(name: string): Promise<boolean> {
    if (!hasUnsavedPaint(state)) return true;
    const answer = await ask(
      `You painted on ${state.source.file} and have not saved it. Open ${name} and let go of that?`,
      [
        { value: "stay", text: "Stay here" },
        { value: "open", text: `Open ${name}` },
      ],
    );
    return answer === "open";
  }

  async function place(character: OpenedCharacter, source: State["source"]) {
    // Whatever is asked just now is about the character that goes.
    withdraw();
    begin(state, character, source);
    history.clear();
    store.changed("character", "fitting", "binds", "weights", "doubts", "comparison");
    store.changed("joint", "look", "pose", "brush", "busy");
    const { waiting } = state;
    if (character.template && waiting) {
      state.waiting = undefined;
      await fitting.takeSkeleton(waiting);
      return;
    }
    if (character.misfit) fitting.offerAlignment();
    if (!character.template) await binding.bind();
  }

  /** What the brush must know comes later, without keeping anyone waiting. */
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

  /** A file that has a skeleton only: for the open mesh, or for the mesh to come. */
  async function haveSkeleton(file: PickedFile) {
    if (state.fitting) return fitting.takeSkeleton(file);
    if (state.character && state.source.file !== "") {
      const answer = await ask(`${file.name} has a skeleton and no mesh. What is it for?`, [
        { value: "this", text: `For ${state.source.file}` },
        { value: "next", text: "For a mesh I open next" },
      ]);
      if (answer === "this" && (await mayLeave(file.name))) return fitting.takeSkeleton(file);
      if (answer !== "next") return;
    }
    state.waiting = file;
    notice(`${file.name} has a skeleton and no mesh: now drop the mesh it belongs to.`);
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
    async openFiles(files) {
      const rigs = files.filter(({ name }) => endingOf(name) === SKELETON_ENDING);
      if (files.length === 1 && rigs.length === 1) {
        return (await isRig(rigs[0])) ? haveSkeleton(rigs[0]) : undefined;
      }
      const chosen = await sortFiles(files, ask);
      if (!chosen) return;
      const { main, skeleton } = chosen;
      const character = main.find(({ name }) => ENDINGS.includes(endingOf(name)));
      if (state.fitting && character && main.length === 1) {
        const answer = await ask(`What is ${character.name} for?`, [
          { value: "skeleton", text: `Its skeleton goes into ${state.source.file}` },
          { value: "open", text: "Open it instead" },
        ]);
        if (answer === "skeleton") return fitting.takeSkeleton(character);
        if (answer !== "open") return;
      }
      const source = { file: character?.name ?? files[0]?.name ?? "", skeleton: skeleton?.name };
      await show(() => engine.read(main, skeleton), source, character);
    },
  };
}

/** The state of a character that was just opened: nothing of the one before. */
function begin(state: State, character: OpenedCharacter, source: State["source"]): void {
  const { weights, skeleton } = character.prepared.character;
  Object.assign(state, {
    character,
    source,
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
    joint: firstJoint(character),
    marked: [],
    look: state.look === "error" ? "heat" : state.look,
    rotations: restRotations(skeleton.parents.length),
    clip: noMotion(),
    locked: new Set(),
    // A choice to send one character is none to send the next.
    where: undefined,
    fitting: character.template
      ? { template: character.template, isMirrored: true, isSnapping: true }
      : undefined,
  });
  keepFileWeights(state, weights);
}

/** The joint to begin with: one that holds a good part of the body, not the root. */
function firstJoint({ prepared }: OpenedCharacter): number {
  const { skeleton, weights } = prepared.character;
  const wanted = /(left|l[_. ]|[_. ]l$).*(arm|leg|wing)|upper.?arm|thigh|wing|tail|tentacle|spine/i;
  const used = new Float64Array(skeleton.names.length);
  weights?.joints.forEach((joint, slot) => {
    used[joint] += weights.weights[slot];
  });
  const found = skeleton.names.findIndex(
    (name, joint) => wanted.test(name) && (!weights || used[joint] > 0),
  );
  if (found < 0 && weights) return used.indexOf(Math.max(...used));
  return found >= 0 ? found : Math.min(1, skeleton.names.length - 1);
}

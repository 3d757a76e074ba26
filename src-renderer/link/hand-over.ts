/** Hands the bytes of a file over to the station, whatever carries it. */
import { z } from 'zod'
import { FILES_PATH, uploadedFileSchema, type UploadedFile } from '../../src-shared/kept-file.ts'
import { failureOf, failureSchema } from '../../src-shared/failure.ts'
import { fail, type Result } from '../../src-shared/result.ts'
import { t } from '../words/t.ts'
import { parseJson } from './read-answer.ts'

const answerSchema = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), value: uploadedFileSchema }),
  z.object({ ok: z.literal(false), failure: failureSchema }),
])

/** Tells how many of the file's bytes have left. */
export type OnProgress = (sentBytes: number) => void

/** Under which path a file of this name and size is handed over. */
export function uploadPath(name: string, sizeBytes: number): string {
  return `${FILES_PATH}?name=${encodeURIComponent(name.toWellFormed())}&size=${sizeBytes}`
}

/** What the station has of the file; another size than the file's is no copy of it. */
export function readUploadAnswer(text: string, file: Blob): Result<UploadedFile> {
  const answer = answerSchema.safeParse(parseJson(text))
  if (!answer.success) return fail(failureOf('answerUnreadable', { message: t('link:unreadable') }))
  if (!answer.data.ok || answer.data.value.sizeBytes === file.size) return answer.data
  return fail(failureOf('badRequest', { message: t('link:notWhole') }))
}

/** By XMLHttpRequest, because `fetch` does not tell how far an upload is. Never rejects. */
export function uploadWithProgress(
  url: string,
  headers: Readonly<Record<string, string>>,
  file: Blob,
  onProgress: OnProgress,
): Promise<Result<UploadedFile>> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest()
    const failed = (): void => resolve(fail(failureOf('internal', { message: t('link:notHandedOver') })))
    request.open('POST', url)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.addEventListener('progress', ({ loaded }) => onProgress(Math.min(loaded, file.size)))
    request.addEventListener('load', () => resolve(readUploadAnswer(request.responseText, file)))
    for (const kind of ['error', 'abort', 'timeout'] as const) request.addEventListener(kind, failed)
    request.send(file)
  })
}

import type { Image } from '../../src-shared/submission.ts'
import { formatBytes } from '../format/numbers.ts'
import { SOURCE_WORDS } from '../words/field-words.ts'
import { SUBMISSION_WORDS } from '../words/submission-words.ts'
import css from './images-board.module.css'

export type ImageFactsProps = {
  readonly image: Image
  readonly name: string
  readonly twins: readonly Image[]
}

/** What is written under an image: its name and size, where its eye came from, its twins, and what is sent of it. */
export function ImageFacts({ image, name, twins }: ImageFactsProps) {
  const words = SUBMISSION_WORDS.images
  const { sentAs, contentType, excludedBecause } = image
  const facts = [
    ...(image.view === null ? [] : [image.view]),
    formatBytes(image.sizeBytes),
    ...(image.eyeSource === null || image.eye === 'unknown' ? [] : [SOURCE_WORDS[image.eyeSource].name]),
  ].join(' \u00b7 ')
  return (
    <p className={css.caption}>
      <span className={`${css.file} truncate`} title={image.fileName}>
        {name}
      </span>
      <span className={`${css.source} truncate`} title={facts}>
        {facts}
      </span>
      {twins.map((twin) => {
        const twinName = twin.fileName.split('/').at(-1) ?? twin.fileName
        return (
          <span key={twin.id} className={css.source} title={`${twin.fileName}. ${words.twinMeans}`}>
            {words.twin(words.types[twin.contentType], twinName)}
          </span>
        )
      })}
      {sentAs && excludedBecause === null && (
        <span className={css.source} title={formatBytes(sentAs.sizeBytes)}>
          {words.sentAs(words.types[sentAs.contentType], contentType === 'application/dicom')}
        </span>
      )}
      {excludedBecause !== null && <span className={css.why}>{excludedBecause}</span>}
    </p>
  )
}

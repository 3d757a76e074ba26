import type { Image } from '../../src-shared/submission.ts'
import { formatBytes } from '../format/numbers.ts'
import { useNames } from '../privacy/use-names.ts'
import css from './images-board.module.css'
import { said } from '../words/said.ts'
import { t } from '../words/t.ts'

export type ImageFactsProps = {
  readonly image: Image
  readonly name: string
  readonly twins: readonly Image[]
}

/** What is written under an image: its name and size, where its eye came from, its twins, and what is sent of it. */
export function ImageFacts({ image, name, twins }: ImageFactsProps) {
  const names = useNames()
  const { sentAs, contentType, excludedBecause } = image
  const facts = [
    ...(image.view === null ? [] : [image.view]),
    formatBytes(image.sizeBytes),
    ...(image.eyeSource === null || image.eye === 'unknown'
      ? []
      : [t(`field:source.${image.eyeSource}.name`)]),
  ]
  return (
    <p className={css.caption}>
      <span className={`${css.file} truncate`} title={names.fileName(image.fileName)}>
        {name}
      </span>
      <span className={`${css.source} ${css.facts}`}>
        {facts.map((fact) => (
          <span key={fact}>{fact}</span>
        ))}
      </span>
      {twins.map((twin) => {
        const twinFile = names.fileName(twin.fileName)
        const twinName = twinFile.split('/').at(-1) ?? twinFile
        return (
          <span
            key={twin.id}
            className={css.source}
            title={`${twinFile}. ${t('submission:images.twinMeans')}`}
          >
            {t('submission:images.twin', {
              type: t(`submission:images.types.${twin.contentType}`),
              name: twinName,
            })}
          </span>
        )
      })}
      {sentAs && excludedBecause === null && (
        <span className={css.source} title={formatBytes(sentAs.sizeBytes)}>
          {t(
            contentType === 'application/dicom'
              ? 'submission:images.sentAsFromDicom'
              : 'submission:images.sentAs',
            {
              type: t(`submission:images.types.${sentAs.contentType}`),
            },
          )}
        </span>
      )}
      {excludedBecause !== null && <span className={css.why}>{said(excludedBecause)}</span>}
    </p>
  )
}

import { UnstyledButton } from '@mantine/core'
import { EYES } from '../../src-shared/eye.ts'
import { EyeMark } from '../parts/eye-mark.tsx'
import { Photo } from '../parts/photo.tsx'
import { useNames } from '../privacy/use-names.ts'
import { useAnswer } from '../store/use-answer.ts'
import { isSent } from '../submission/board-images.ts'
import { openLabel } from '../submission/open-label.ts'
import { openViewer } from '../viewer/open-viewer.ts'
import css from './report-reader.module.css'
import { t } from '../words/t.ts'

/** The images that a report is about, OD first. */
export function ReportImages({ submissionId }: { readonly submissionId: string | null }) {
  const { value } = useAnswer('submissions.get', submissionId === null ? null : { id: submissionId })
  const names = useNames()
  const images = EYES.flatMap((eye) =>
    (value?.images ?? []).filter((image) => image.eye === eye && isSent(image)),
  )
  return (
    <aside className={css.images} aria-label={t('report:images')}>
      <h3>{t('report:images')}</h3>
      {images.length === 0 && <p className="dim">{t('report:noImages')}</p>}
      <div className={css.imageList}>
        {images.map((image) => (
          <div key={image.id} className={css.image}>
            <UnstyledButton
              className={css.open}
              aria-label={openLabel(image, names.fileName(image.fileName))}
              onClick={() => submissionId !== null && openViewer({ submissionId, imageId: image.id })}
            >
              <Photo
                image={image}
                className={css.thumb ?? ''}
                alt={t('part:photo', {
                  eye: t(`field:eye.${image.eye}.name`),
                  fileName: names.fileName(image.fileName),
                })}
              />
            </UnstyledButton>
            <span>
              <EyeMark eye={image.eye} />
            </span>
          </div>
        ))}
      </div>
    </aside>
  )
}

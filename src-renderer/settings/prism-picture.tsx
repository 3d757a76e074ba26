import type { ClinicalSettings } from '../../src-shared/settings.ts'
import { degreesOfBase } from '../format/prism-base.ts'
import { t } from '../words/t.ts'
import css from './clinical-fields.module.css'

type Coding = ClinicalSettings['prismBase']
type Eye = 'right' | 'left'

/** Where each eye stands in the picture: the right one at the left, as everybody who looks at a patient sees it. */
const CENTRES = { right: 112, left: 348 } as const
const MIDDLE = 84
const RADIUS = 44

/** Both eyes as seen from before the patient, with the degrees that a base in, out, up or down is sent as. */
export function PrismPicture({ coding }: { readonly coding: Coding }) {
  const describe = (eye: Eye): string =>
    t('settings:clinical.prismOf', {
      eye: t(`field:eye.${eye}.name`),
      in: degreesOfBase(eye, 'in', coding),
      out: degreesOfBase(eye, 'out', coding),
    })
  return (
    <svg
      className={css.picture}
      viewBox="0 0 460 178"
      role="img"
      aria-label={t('settings:clinical.prismPicture', { right: describe('right'), left: describe('left') })}
    >
      <Dial eye="right" coding={coding} />
      <Dial eye="left" coding={coding} />
      <path
        className={css.nose}
        d="M230 50 C 227 82, 218 96, 216 106 C 216 116, 244 116, 244 106 C 242 96, 233 82, 230 50"
      />
      <text className={css.word} x={230} y={134}>
        {t('settings:clinical.nose')}
      </text>
    </svg>
  )
}

function Dial({ eye, coding }: { readonly eye: Eye; readonly coding: Coding }) {
  const x = CENTRES[eye]
  // The nose lies between both eyes.
  const noseWards = eye === 'right' ? 1 : -1
  const anchor = eye === 'right' ? 'end' : 'start'
  return (
    <g>
      <circle className={css.dial} cx={x} cy={MIDDLE} r={RADIUS} />
      <circle className={css.iris} cx={x} cy={MIDDLE} r={13} />
      <circle className={css.pupil} cx={x} cy={MIDDLE} r={5} />
      <path className={css.base} d={`M${x + noseWards * 17} ${MIDDLE} h${noseWards * (RADIUS - 21)}`} />
      <path className={css.arrow} d={`M${x + noseWards * RADIUS} ${MIDDLE} l${-noseWards * 9} -5.5 v11 z`} />
      <text className={css.degrees} x={x} y={MIDDLE - RADIUS - 8}>
        90°
      </text>
      <text className={css.degrees} x={x} y={MIDDLE + RADIUS + 18}>
        270°
      </text>
      <text
        className={css.inward}
        x={x + noseWards * (RADIUS + 5)}
        y={MIDDLE - 8}
        textAnchor={eye === 'right' ? 'start' : 'end'}
      >
        {t('settings:clinical.baseIn', { degrees: degreesOfBase(eye, 'in', coding) })}
      </text>
      <text className={css.outward} x={x - noseWards * (RADIUS + 6)} y={MIDDLE + 5} textAnchor={anchor}>
        {t('settings:clinical.baseOut', { degrees: degreesOfBase(eye, 'out', coding) })}
      </text>
      <text className={css.eye} data-eye={eye} x={x} y={MIDDLE + RADIUS + 44}>
        {t(`field:eye.${eye}.short`)}
      </text>
    </g>
  )
}

import { ActionIcon, Button, Tooltip } from '@mantine/core'
import { IconArrowRight } from '@tabler/icons-react'
import { transposed } from '../format/transpose.ts'
import { t } from '../words/t.ts'
import { COPIED_GROUPS, copiedToLeft, type CopiedGroup } from './copy-to-left.ts'
import { fieldText, measurementText } from './draft.ts'
import { eyeValuesOf } from './eye-values.ts'
import { useFields } from './fields-context.ts'
import css from './measurements-block.module.css'

const GROUPS = Object.keys(COPIED_GROUPS) as readonly CopiedGroup[]

/** Copies a group of measurements from the right eye to the left. */
export function CopyActions() {
  const fields = useFields()
  const right = eyeValuesOf('od', fields)
  const { vaUnit, prismBase } = fields.clinical
  const copy = (group: CopiedGroup): void => {
    for (const [name, value] of copiedToLeft(group, right, prismBase)) {
      fields.write(name, value === null ? '' : fieldText(name, { [name]: value }, vaUnit))
    }
  }
  return GROUPS.map((group) => {
    const label = t('measure:copy', { what: t(`measure:groups.${group}`) })
    return (
      <span key={group} className={css.copy} data-group={group}>
        <Tooltip label={label}>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={30}
            aria-label={label}
            disabled={COPIED_GROUPS[group].every((measurement) => right[measurement] === undefined)}
            onClick={() => copy(group)}
          >
            <IconArrowRight size={16} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </span>
    )
  })
}

/** Writes a refraction with the other sign of its cylinder; pressed twice, it is as before. */
export function TransposeAction({ prefix }: { readonly prefix: 'od' | 'os' }) {
  const fields = useFields()
  const { sphere, cylinder, axis } = eyeValuesOf(prefix, fields)
  const mayTranspose = sphere !== undefined && cylinder !== undefined && cylinder !== 0 && axis !== undefined
  const transpose = (): void => {
    if (!mayTranspose) return
    const { vaUnit } = fields.clinical
    const next = transposed({ sphere, cylinder, axis })
    for (const measurement of ['sphere', 'cylinder', 'axis'] as const)
      fields.write(`${prefix}_${measurement}`, measurementText(measurement, next[measurement], vaUnit))
  }
  const eye = t(`field:eye.${prefix === 'od' ? 'right' : 'left'}.within`)
  return (
    <span className={css.transpose} data-eye={prefix}>
      <Button
        size="compact-sm"
        variant="subtle"
        color="gray"
        disabled={!mayTranspose}
        aria-label={t('measure:transposeWhat', { eye })}
        title={mayTranspose ? t('measure:transposeMeans') : t('measure:transposeNeeds')}
        onClick={transpose}
      >
        {t('measure:transpose')}
      </Button>
    </span>
  )
}

/** Who decides, and why: part of the input of every call that changes a case. */
import { z } from 'zod'

/** Initials of the person who decides. */
const bySchema = z.string().trim().min(1).max(40).optional()
/** The reason, as typed by the person; it is stored in the audit trail and must not name a patient. */
const whySchema = z.string().trim().min(1).max(500).optional()
export const decisionShape = { by: bySchema, why: whySchema }

-- A captcha is answered by reading a picture or by a proof of work of the browser.
alter table captchas
  alter column answer_hash drop not null,
  -- Leading zero bits that the hash of the answer must have.
  add column work_bits smallint check (work_bits between 1 and 20),
  add constraint captchas_answer_or_work check (num_nonnulls(answer_hash, work_bits) = 1);

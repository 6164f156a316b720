-- Earlier versions stored the message of the SMTP driver.
update mails set error = '邮件没有寄出' where error <> '' and error !~ '^[一-龥]';

-- One word for one thing: what the API calls a group is a 角色 wherever people read of it.
update permissions set title = replace(title, '用户组', '角色')
where path like '/api.v1.GroupAPI/%';
update permissions set title = '设置用户密码与角色'
where path = '/api.v1.UserAPI/SetUser' and title = '设置用户密码与分组';
update permissions set title = '查看运行环境'
where path = '/api.v1.ConfigAPI/GetEnvs' and title = '获取环境依赖检测';
